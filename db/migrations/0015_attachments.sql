CREATE TABLE `attachment_uses` (
	`attachment_id` integer NOT NULL,
	`envelope_document_id` integer,
	`template_id` integer,
	`bulk_id` integer,
	FOREIGN KEY (`attachment_id`) REFERENCES `attachments`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`envelope_document_id`) REFERENCES `envelope_documents`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`template_id`) REFERENCES `templates`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`bulk_id`) REFERENCES `bulk_sends`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `attachment_uses_attachment` ON `attachment_uses` (`attachment_id`);--> statement-breakpoint
CREATE INDEX `attachment_uses_document` ON `attachment_uses` (`envelope_document_id`);--> statement-breakpoint
CREATE INDEX `attachment_uses_template` ON `attachment_uses` (`template_id`);--> statement-breakpoint
CREATE INDEX `attachment_uses_bulk` ON `attachment_uses` (`bulk_id`);--> statement-breakpoint
CREATE TABLE `attachments` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`workspace_id` integer NOT NULL,
	`file_path` text NOT NULL,
	`file_name` text NOT NULL,
	`file_size` integer NOT NULL,
	`mime_type` text NOT NULL,
	`sha256` text NOT NULL,
	`created_at` text NOT NULL,
	`released_at` text NOT NULL,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `attachments_workspace` ON `attachments` (`workspace_id`,`file_size`);--> statement-breakpoint
CREATE INDEX `attachments_file` ON `attachments` (`file_path`);--> statement-breakpoint
CREATE INDEX `attachments_released` ON `attachments` (`released_at`);