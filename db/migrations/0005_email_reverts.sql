CREATE TABLE `email_reverts` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`token_hash` text NOT NULL,
	`user_id` integer NOT NULL,
	`email` text NOT NULL,
	`created_at` text NOT NULL,
	`expires_at` text NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `email_reverts_tokenHash_unique` ON `email_reverts` (`token_hash`);--> statement-breakpoint
CREATE INDEX `email_reverts_user` ON `email_reverts` (`user_id`);--> statement-breakpoint
CREATE INDEX `email_reverts_expires` ON `email_reverts` (`expires_at`);