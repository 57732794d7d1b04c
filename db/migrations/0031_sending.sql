DROP INDEX `requests_states`;--> statement-breakpoint
ALTER TABLE `requests` ADD `language` text;--> statement-breakpoint
ALTER TABLE `requests` ADD `due_date` text;--> statement-breakpoint
ALTER TABLE `requests` ADD `end_of_due_day` text;--> statement-breakpoint
ALTER TABLE `requests` ADD `reminder_days` text;--> statement-breakpoint
CREATE INDEX `requests_states` ON `requests` (`workspace_id`,`status`,`end_of_last_day`,`expiration_date`,`files_deleted_at`,`end_of_due_day`,`user_id`);--> statement-breakpoint
ALTER TABLE `contacts` ADD `language` text;--> statement-breakpoint
ALTER TABLE `templates` ADD `subject` text;--> statement-breakpoint
ALTER TABLE `templates` ADD `message` text;--> statement-breakpoint
ALTER TABLE `templates` ADD `language` text;--> statement-breakpoint
ALTER TABLE `templates` ADD `notification_preference` text;--> statement-breakpoint
ALTER TABLE `templates` ADD `reminder_frequency` text;--> statement-breakpoint
ALTER TABLE `templates` ADD `reminder_days` text;--> statement-breakpoint
ALTER TABLE `templates` ADD `due_in_days` integer;--> statement-breakpoint
ALTER TABLE `templates` ADD `expires_in_days` integer;--> statement-breakpoint
ALTER TABLE `workspaces` ADD `brand_name` text;--> statement-breakpoint
ALTER TABLE `workspaces` ADD `brand_color` text;--> statement-breakpoint
ALTER TABLE `workspaces` ADD `brand_footer` text;--> statement-breakpoint
ALTER TABLE `workspaces` ADD `logo_url` text;--> statement-breakpoint
ALTER TABLE `workspaces` ADD `logo_mime_type` text;--> statement-breakpoint
ALTER TABLE `workspaces` ADD `logo_size` integer;--> statement-breakpoint
ALTER TABLE `workspaces` ADD `logo_width` integer;--> statement-breakpoint
ALTER TABLE `workspaces` ADD `logo_height` integer;--> statement-breakpoint
CREATE INDEX `workspaces_logo_url` ON `workspaces` (`logo_url`) WHERE logo_url is not null;