CREATE TABLE `request_watchers` (
	`request_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	PRIMARY KEY(`request_id`, `user_id`),
	FOREIGN KEY (`request_id`) REFERENCES `requests`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `request_watchers_user` ON `request_watchers` (`user_id`);--> statement-breakpoint
ALTER TABLE `requests` ADD `created_by` integer;--> statement-breakpoint
CREATE INDEX `requests_created_by` ON `requests` (`created_by`);--> statement-breakpoint
UPDATE `requests` SET `created_by` = `user_id`;
