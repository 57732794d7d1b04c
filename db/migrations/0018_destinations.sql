CREATE TABLE `destination_folders` (
	`destination_id` integer NOT NULL,
	`path` text NOT NULL,
	`folder_id` text NOT NULL,
	PRIMARY KEY(`destination_id`, `path`),
	FOREIGN KEY (`destination_id`) REFERENCES `destinations`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `destinations` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`workspace_id` integer NOT NULL,
	`kind` text NOT NULL,
	`name` text NOT NULL,
	`account` text,
	`settings` text,
	`credentials` text,
	`delivered_when` text NOT NULL,
	`folder_rule` text NOT NULL,
	`include_answers` integer NOT NULL,
	`state` text DEFAULT 'active' NOT NULL,
	`state_reason` text,
	`retry_at` text,
	`last_delivered_at` text,
	`connected_by` integer,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `destinations_workspace` ON `destinations` (`workspace_id`);--> statement-breakpoint
CREATE TABLE `file_deliveries` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`destination_id` integer NOT NULL,
	`envelope_id` integer NOT NULL,
	`submission_id` integer,
	`page` text,
	`submitted_at` text NOT NULL,
	`state` text DEFAULT 'waiting' NOT NULL,
	`state_at` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`next_attempt_at` text,
	`claimed_by` text,
	`claimed_until` text,
	`started_at` text,
	`session` text,
	`failure` text,
	`failure_text` text,
	`path` text,
	`url` text,
	`created_at` text NOT NULL,
	`delivered_at` text,
	FOREIGN KEY (`destination_id`) REFERENCES `destinations`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`envelope_id`) REFERENCES `envelopes`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`submission_id`) REFERENCES `submissions`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `file_deliveries_file` ON `file_deliveries` (`destination_id`,`submission_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `file_deliveries_page` ON `file_deliveries` (`destination_id`,`envelope_id`,`submitted_at`,`page`) WHERE page is not null;--> statement-breakpoint
CREATE INDEX `file_deliveries_waiting` ON `file_deliveries` (`destination_id`) WHERE state = 'waiting';--> statement-breakpoint
CREATE INDEX `file_deliveries_log` ON `file_deliveries` (`destination_id`,`state`,`id`);--> statement-breakpoint
CREATE INDEX `file_deliveries_envelope` ON `file_deliveries` (`envelope_id`);--> statement-breakpoint
CREATE INDEX `file_deliveries_submission` ON `file_deliveries` (`submission_id`) WHERE submission_id is not null;--> statement-breakpoint
ALTER TABLE `contacts` ADD `folder` text;--> statement-breakpoint
ALTER TABLE `webhook_deliveries` ADD `file_delivery_id` integer;