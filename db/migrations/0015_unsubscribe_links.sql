CREATE TABLE `unsubscribe_links` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`recipient_hash` text NOT NULL,
	`token` text NOT NULL,
	`created_at` text NOT NULL,
	`unsubscribed_at` text,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `unsubscribe_links_token_unique` ON `unsubscribe_links` (`token`);--> statement-breakpoint
CREATE UNIQUE INDEX `unsubscribe_links_recipient` ON `unsubscribe_links` (`user_id`,`recipient_hash`);--> statement-breakpoint
CREATE INDEX `unsubscribe_links_stopped` ON `unsubscribe_links` (`user_id`) WHERE unsubscribed_at is not null;--> statement-breakpoint
ALTER TABLE `users` ADD `has_unsubscribers` integer DEFAULT false NOT NULL;