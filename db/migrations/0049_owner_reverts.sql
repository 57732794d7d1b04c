CREATE TABLE `owner_reverts` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`token_hash` text NOT NULL,
	`workspace_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`actor_id` integer,
	`member_since` text NOT NULL,
	`created_at` text NOT NULL,
	`expires_at` text NOT NULL,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`actor_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE UNIQUE INDEX `owner_reverts_tokenHash_unique` ON `owner_reverts` (`token_hash`);--> statement-breakpoint
CREATE INDEX `owner_reverts_workspace` ON `owner_reverts` (`workspace_id`,`user_id`);--> statement-breakpoint
CREATE INDEX `owner_reverts_user` ON `owner_reverts` (`user_id`);--> statement-breakpoint
CREATE INDEX `owner_reverts_actor` ON `owner_reverts` (`actor_id`);--> statement-breakpoint
CREATE INDEX `owner_reverts_expires` ON `owner_reverts` (`expires_at`);