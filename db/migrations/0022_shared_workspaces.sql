DROP INDEX `contacts_workspace`;--> statement-breakpoint
CREATE INDEX `contacts_in_workspace` ON `contacts` (`workspace_id`);--> statement-breakpoint
DROP INDEX `requests_counted`;--> statement-breakpoint
CREATE INDEX `requests_in_workspace` ON `requests` (`workspace_id`);--> statement-breakpoint
CREATE INDEX `requests_states` ON `requests` (`workspace_id`,`status`,`end_of_last_day`,`expiration_date`,`files_deleted_at`,`user_id`);--> statement-breakpoint
DROP INDEX `templates_workspace`;--> statement-breakpoint
CREATE INDEX `templates_in_workspace` ON `templates` (`workspace_id`);