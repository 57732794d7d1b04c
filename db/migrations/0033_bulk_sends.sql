CREATE TABLE `bulk_recipients` (
	`bulk_id` integer NOT NULL,
	`position` integer NOT NULL,
	`state` text NOT NULL,
	`recipient` text,
	`code` text,
	`message` text,
	PRIMARY KEY(`bulk_id`, `position`),
	FOREIGN KEY (`bulk_id`) REFERENCES `bulk_sends`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `bulk_sends` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`workspace_id` integer NOT NULL,
	`created_by` integer NOT NULL,
	`address` text NOT NULL,
	`subject` text NOT NULL,
	`envelope` text,
	`total` integer NOT NULL,
	`created_at` text NOT NULL,
	`finished_at` text,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `bulk_sends_workspace` ON `bulk_sends` (`workspace_id`);--> statement-breakpoint
CREATE INDEX `bulk_sends_unfinished` ON `bulk_sends` (`id`) WHERE finished_at is null;--> statement-breakpoint
ALTER TABLE `requests` ADD `bulk_id` integer REFERENCES bulk_sends(id) ON DELETE SET NULL;--> statement-breakpoint
ALTER TABLE `requests` ADD `bulk_index` integer;--> statement-breakpoint
CREATE INDEX `requests_bulk` ON `requests` (`bulk_id`) WHERE bulk_id is not null;--> statement-breakpoint
CREATE UNIQUE INDEX `requests_bulk_index` ON `requests` (`bulk_id`,`bulk_index`) WHERE bulk_id is not null;