DROP INDEX `requests_expiring`;--> statement-breakpoint
DROP INDEX `requests_counted`;--> statement-breakpoint
ALTER TABLE `requests` ADD `time_zone` text;--> statement-breakpoint
ALTER TABLE `requests` ADD `end_of_last_day` text;--> statement-breakpoint
ALTER TABLE `requests` ADD `expires_at` text GENERATED ALWAYS AS (coalesce(end_of_last_day, expiration_date || 'T23:59:59.999Z')) VIRTUAL;--> statement-breakpoint
CREATE INDEX `requests_ending` ON `requests` (`expires_at`) WHERE status = 'pending';--> statement-breakpoint
CREATE INDEX `requests_counted` ON `requests` (`user_id`,`workspace_id`,`status`,`end_of_last_day`,`expiration_date`,`files_deleted_at`);--> statement-breakpoint
ALTER TABLE `users` ADD `time_zone` text;--> statement-breakpoint
ALTER TABLE `users` ADD `last_workspace_id` integer;