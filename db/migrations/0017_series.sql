CREATE TABLE `series_occurrences` (
	`series_id` integer NOT NULL,
	`number` integer NOT NULL,
	`day` text NOT NULL,
	`state` text NOT NULL,
	`bulk_id` integer,
	`total` integer DEFAULT 0 NOT NULL,
	`left_out` integer DEFAULT 0 NOT NULL,
	`code` text,
	`at` text NOT NULL,
	PRIMARY KEY(`series_id`, `number`),
	FOREIGN KEY (`series_id`) REFERENCES `series`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`bulk_id`) REFERENCES `bulk_sends`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE INDEX `series_occurrences_bulk` ON `series_occurrences` (`bulk_id`) WHERE bulk_id is not null;--> statement-breakpoint
CREATE TABLE `series` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`workspace_id` integer NOT NULL,
	`user_id` integer,
	`assignee_id` integer,
	`address` text NOT NULL,
	`name` text NOT NULL,
	`envelope` text NOT NULL,
	`every` integer NOT NULL,
	`unit` text NOT NULL,
	`start_on` text NOT NULL,
	`send_hour` integer NOT NULL,
	`weekend` text NOT NULL,
	`end_on` text,
	`times` integer,
	`if_open` text NOT NULL,
	`start_number` integer DEFAULT 1 NOT NULL,
	`next_number` integer DEFAULT 1 NOT NULL,
	`next_on` text,
	`due_at` text,
	`limited_since` text,
	`paused` text,
	`paused_at` text,
	`text_bytes` integer DEFAULT 0 NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`updated_by` integer,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null,
	FOREIGN KEY (`assignee_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE INDEX `series_due` ON `series` (`due_at`,`id`) WHERE due_at is not null;--> statement-breakpoint
CREATE INDEX `series_workspace` ON `series` (`workspace_id`);--> statement-breakpoint
CREATE INDEX `series_user` ON `series` (`user_id`);--> statement-breakpoint
CREATE INDEX `series_assignee` ON `series` (`assignee_id`);--> statement-breakpoint
CREATE TABLE `series_recipients` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`series_id` integer NOT NULL,
	`contact_id` integer,
	`recipient` text NOT NULL,
	FOREIGN KEY (`series_id`) REFERENCES `series`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `series_recipients_series` ON `series_recipients` (`series_id`);--> statement-breakpoint
CREATE INDEX `series_recipients_contact` ON `series_recipients` (`contact_id`) WHERE contact_id is not null;--> statement-breakpoint
ALTER TABLE `envelopes` ADD `series_id` integer REFERENCES series(id) ON DELETE set null;--> statement-breakpoint
CREATE INDEX `envelopes_series` ON `envelopes` (`series_id`,`contact_id`,`customer_email`,`status`) WHERE series_id is not null;