ALTER TABLE `users` ADD `pending_email` text;--> statement-breakpoint
ALTER TABLE `users` ADD `verified_by_owner` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `users` ADD `release_token` text;--> statement-breakpoint
ALTER TABLE `users` ADD `release_expiry` text;--> statement-breakpoint
CREATE UNIQUE INDEX `users_pending_email` ON `users` (`pending_email`);--> statement-breakpoint
CREATE INDEX `users_release_token` ON `users` (`release_token`);