CREATE TABLE `due_links` (
	`envelope_id` integer PRIMARY KEY NOT NULL,
	`requested_by` integer NOT NULL,
	`address` text NOT NULL,
	FOREIGN KEY (`envelope_id`) REFERENCES `requests`(`id`) ON UPDATE no action ON DELETE cascade
);
