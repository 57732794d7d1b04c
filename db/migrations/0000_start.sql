CREATE TABLE `contacts` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`workspace_id` integer NOT NULL,
	`first_name` text NOT NULL,
	`last_name` text,
	`email` text,
	`phone` text,
	`company` text,
	`notes` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `contacts_user` ON `contacts` (`user_id`);--> statement-breakpoint
CREATE INDEX `contacts_workspace` ON `contacts` (`workspace_id`,`user_id`);--> statement-breakpoint
CREATE TABLE `envelope_events` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`request_id` integer NOT NULL,
	`user_id` integer,
	`kind` text NOT NULL,
	`actor` text NOT NULL,
	`address` text,
	`detail` text,
	`at` text NOT NULL,
	FOREIGN KEY (`request_id`) REFERENCES `requests`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `envelope_events_request` ON `envelope_events` (`request_id`);--> statement-breakpoint
CREATE INDEX `envelope_events_user` ON `envelope_events` (`user_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `envelope_events_opened` ON `envelope_events` (`request_id`) WHERE kind = 'opened';--> statement-breakpoint
CREATE TABLE `documents` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`template_id` integer NOT NULL,
	`request_id` integer NOT NULL,
	`customer_email` text NOT NULL,
	`data` text NOT NULL,
	`status` text DEFAULT 'pending' NOT NULL,
	`created_at` text NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`template_id`) REFERENCES `templates`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`request_id`) REFERENCES `requests`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `documents_user` ON `documents` (`user_id`);--> statement-breakpoint
CREATE INDEX `documents_template` ON `documents` (`template_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `documents_request` ON `documents` (`request_id`);--> statement-breakpoint
CREATE TABLE `request_documents` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`request_id` integer NOT NULL,
	`position` integer NOT NULL,
	`name` text NOT NULL,
	`description` text,
	`required` integer DEFAULT false NOT NULL,
	`allowed_file_types` text NOT NULL,
	FOREIGN KEY (`request_id`) REFERENCES `requests`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `request_documents_request` ON `request_documents` (`request_id`,`position`);--> statement-breakpoint
CREATE TABLE `requests` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`workspace_id` integer NOT NULL,
	`contact_id` integer,
	`template_id` integer,
	`title` text NOT NULL,
	`description` text NOT NULL,
	`customer_email` text NOT NULL,
	`submission_token` text NOT NULL,
	`status` text DEFAULT 'pending' NOT NULL,
	`is_draft` integer DEFAULT false NOT NULL,
	`recipient_name` text,
	`recipient_phone` text,
	`country_code` text DEFAULT '+1' NOT NULL,
	`notification_preference` text DEFAULT 'email' NOT NULL,
	`reminder_frequency` text DEFAULT 'none' NOT NULL,
	`expiration_date` text,
	`subject` text,
	`message` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`sent_at` text,
	`completed_at` text,
	`next_reminder_at` text,
	`deletion_noticed_at` text,
	`files_deleted_at` text,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`contact_id`) REFERENCES `contacts`(`id`) ON UPDATE no action ON DELETE set null,
	FOREIGN KEY (`template_id`) REFERENCES `templates`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE UNIQUE INDEX `requests_submissionToken_unique` ON `requests` (`submission_token`);--> statement-breakpoint
CREATE INDEX `requests_user` ON `requests` (`user_id`);--> statement-breakpoint
CREATE INDEX `requests_workspace` ON `requests` (`workspace_id`,`user_id`);--> statement-breakpoint
CREATE INDEX `requests_contact` ON `requests` (`contact_id`);--> statement-breakpoint
CREATE INDEX `requests_template` ON `requests` (`template_id`);--> statement-breakpoint
CREATE INDEX `requests_expiring` ON `requests` (`expiration_date`) WHERE status = 'pending';--> statement-breakpoint
CREATE INDEX `requests_reminding` ON `requests` (`next_reminder_at`) WHERE status = 'pending';--> statement-breakpoint
CREATE INDEX `requests_keeping` ON `requests` (`workspace_id`,`completed_at`) WHERE status = 'completed' and files_deleted_at is null;--> statement-breakpoint
CREATE TABLE `submissions` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`envelope_id` integer NOT NULL,
	`request_document_id` integer,
	`document_name` text NOT NULL,
	`file_path` text NOT NULL,
	`file_name` text NOT NULL,
	`file_size` integer NOT NULL,
	`mime_type` text NOT NULL,
	`created_at` text NOT NULL,
	`deleted_at` text,
	`scan_due_at` text,
	`virus` text,
	FOREIGN KEY (`envelope_id`) REFERENCES `requests`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`request_document_id`) REFERENCES `request_documents`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE UNIQUE INDEX `submissions_filePath_unique` ON `submissions` (`file_path`);--> statement-breakpoint
CREATE INDEX `submissions_held` ON `submissions` (`scan_due_at`) WHERE scan_due_at is not null;--> statement-breakpoint
CREATE INDEX `submissions_envelope` ON `submissions` (`envelope_id`);--> statement-breakpoint
CREATE INDEX `submissions_request_document` ON `submissions` (`request_document_id`);--> statement-breakpoint
CREATE TABLE `integrations` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`type` text NOT NULL,
	`name` text NOT NULL,
	`status` text DEFAULT 'disconnected' NOT NULL,
	`config` text DEFAULT '{}' NOT NULL,
	`created_at` text NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `integrations_user` ON `integrations` (`user_id`);--> statement-breakpoint
CREATE TABLE `job_runs` (
	`job` text PRIMARY KEY NOT NULL,
	`hour` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `notifications` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer,
	`request_id` integer,
	`kind` text NOT NULL,
	`channel` text NOT NULL,
	`recipient` text NOT NULL,
	`payload` text NOT NULL,
	`dedupe_key` text NOT NULL,
	`status` text DEFAULT 'queued' NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`next_attempt_at` text NOT NULL,
	`claimed_by` text,
	`claimed_until` text,
	`last_error` text,
	`failure` text,
	`created_at` text NOT NULL,
	`sent_at` text,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`request_id`) REFERENCES `requests`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `notifications_dedupeKey_unique` ON `notifications` (`dedupe_key`);--> statement-breakpoint
CREATE INDEX `notifications_due` ON `notifications` (`status`,`next_attempt_at`);--> statement-breakpoint
CREATE INDEX `notifications_request` ON `notifications` (`request_id`);--> statement-breakpoint
CREATE INDEX `notifications_user` ON `notifications` (`user_id`);--> statement-breakpoint
CREATE INDEX `notifications_account` ON `notifications` (`created_at`) WHERE request_id is null;--> statement-breakpoint
CREATE TABLE `rate_limits` (
	`key` text PRIMARY KEY NOT NULL,
	`count` integer NOT NULL,
	`reset_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `rate_limits_reset` ON `rate_limits` (`reset_at`);--> statement-breakpoint
CREATE TABLE `removed_files` (
	`key` text PRIMARY KEY NOT NULL,
	`removed_at` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `templates` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`workspace_id` integer NOT NULL,
	`name` text NOT NULL,
	`description` text,
	`fields` text NOT NULL,
	`created_at` text NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `templates_user` ON `templates` (`user_id`);--> statement-breakpoint
CREATE INDEX `templates_workspace` ON `templates` (`workspace_id`,`user_id`);--> statement-breakpoint
CREATE TABLE `identities` (
	`provider` text NOT NULL,
	`subject` text NOT NULL,
	`user_id` integer NOT NULL,
	`created_at` text NOT NULL,
	PRIMARY KEY(`provider`, `subject`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `identities_user` ON `identities` (`user_id`);--> statement-breakpoint
CREATE TABLE `password_resets` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`user_id` integer NOT NULL,
	`expires_at` text NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `password_resets_user` ON `password_resets` (`user_id`);--> statement-breakpoint
CREATE INDEX `password_resets_expires` ON `password_resets` (`expires_at`);--> statement-breakpoint
CREATE TABLE `sessions` (
	`sid` text PRIMARY KEY NOT NULL,
	`sess` text NOT NULL,
	`expire` text NOT NULL,
	`user_id` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `sessions_user` ON `sessions` (`user_id`);--> statement-breakpoint
CREATE INDEX `sessions_expire` ON `sessions` (`expire`);--> statement-breakpoint
CREATE TABLE `users` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`email` text NOT NULL,
	`password` text NOT NULL,
	`first_name` text,
	`last_name` text,
	`company_name` text,
	`avatar_url` text,
	`avatar_mime_type` text,
	`avatar_size` integer,
	`phone_number` text,
	`username` text,
	`theme_preference` text DEFAULT 'system' NOT NULL,
	`language_preference` text DEFAULT 'en' NOT NULL,
	`onboarding_completed` integer DEFAULT false NOT NULL,
	`usage_type` text,
	`document_type` text,
	`is_verified` integer DEFAULT false NOT NULL,
	`verification_token` text,
	`verification_expiry` text,
	`created_at` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_email_unique` ON `users` (`email`);--> statement-breakpoint
CREATE INDEX `users_verification_token` ON `users` (`verification_token`);--> statement-breakpoint
CREATE INDEX `users_avatar_url` ON `users` (`avatar_url`);--> statement-breakpoint
CREATE TABLE `workspaces` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`description` text,
	`user_id` integer NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`retention_days` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `workspaces_user` ON `workspaces` (`user_id`);--> statement-breakpoint
CREATE INDEX `workspaces_retaining` ON `workspaces` (`retention_days`) WHERE retention_days is not null;