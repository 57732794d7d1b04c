CREATE TABLE `audit_log` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`created_at` text NOT NULL,
	`action` text NOT NULL,
	`actor` text NOT NULL,
	`actor_id` integer,
	`address` text,
	`subject` text NOT NULL,
	`subject_id` integer,
	`detail` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `invitations` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`token_hash` text NOT NULL,
	`email` text NOT NULL,
	`created_at` text NOT NULL,
	`expires_at` text NOT NULL,
	`invited_by` integer,
	FOREIGN KEY (`invited_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE UNIQUE INDEX `invitations_tokenHash_unique` ON `invitations` (`token_hash`);--> statement-breakpoint
CREATE UNIQUE INDEX `invitations_email_unique` ON `invitations` (`email`);--> statement-breakpoint
CREATE INDEX `invitations_expires` ON `invitations` (`expires_at`);--> statement-breakpoint
CREATE INDEX `invitations_invited_by` ON `invitations` (`invited_by`);--> statement-breakpoint
ALTER TABLE `users` ADD `is_first` integer;--> statement-breakpoint
ALTER TABLE `users` ADD `disabled_at` text;--> statement-breakpoint
ALTER TABLE `users` ADD `last_seen_at` text;--> statement-breakpoint
ALTER TABLE `users` ADD `storage_quota` integer;
--> statement-breakpoint
CREATE TRIGGER `audit_log_insert` BEFORE INSERT ON `audit_log` WHEN EXISTS (SELECT 1 FROM `audit_log` WHERE `id` = NEW.`id`) BEGIN SELECT RAISE(ABORT, 'The audit log is append-only'); END;
--> statement-breakpoint
CREATE TRIGGER `audit_log_update` BEFORE UPDATE ON `audit_log` BEGIN SELECT RAISE(ABORT, 'The audit log is append-only'); END;
--> statement-breakpoint
CREATE TRIGGER `audit_log_delete` BEFORE DELETE ON `audit_log` BEGIN SELECT RAISE(ABORT, 'The audit log is append-only'); END;
