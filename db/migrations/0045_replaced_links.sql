CREATE TABLE `replaced_links` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`token_hash` text NOT NULL,
	`envelope_id` integer NOT NULL,
	FOREIGN KEY (`envelope_id`) REFERENCES `requests`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `replaced_links_tokenHash_unique` ON `replaced_links` (`token_hash`);--> statement-breakpoint
CREATE INDEX `replaced_links_envelope` ON `replaced_links` (`envelope_id`);