CREATE TABLE `former_users` (
	`id` integer PRIMARY KEY NOT NULL,
	`first_name` text,
	`last_name` text,
	`email` text
);
--> statement-breakpoint
CREATE TABLE `workspace_activity` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`workspace_id` integer NOT NULL,
	`type` text NOT NULL,
	`actor_id` integer NOT NULL,
	`actor_name` text NOT NULL,
	`target` text NOT NULL,
	`created_at` text NOT NULL,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `workspace_activity_workspace` ON `workspace_activity` (`workspace_id`);--> statement-breakpoint
DROP INDEX `invitations_email_unique`;--> statement-breakpoint
ALTER TABLE `invitations` ADD `workspace_id` integer REFERENCES workspaces(id) ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE `invitations` ADD `role` text;--> statement-breakpoint
CREATE UNIQUE INDEX `invitations_address` ON `invitations` (`email`,(case when workspace_id is null then 0 else workspace_id end));--> statement-breakpoint
CREATE INDEX `invitations_workspace` ON `invitations` (`workspace_id`);--> statement-breakpoint
ALTER TABLE `envelope_events` ADD `actor_id` integer;--> statement-breakpoint
CREATE INDEX `envelope_events_actor` ON `envelope_events` (`actor_id`) WHERE actor_id is not null;--> statement-breakpoint
UPDATE `envelope_events` SET `actor_id` = `user_id`, `user_id` = NULL WHERE `user_id` IS NOT NULL;
