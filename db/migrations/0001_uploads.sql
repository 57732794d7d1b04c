CREATE TABLE `uploads` (
	`row_id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`envelope_id` integer NOT NULL,
	`request_document_id` integer NOT NULL,
	`file_name` text NOT NULL,
	`file_size` integer NOT NULL,
	`metadata` text NOT NULL,
	`file_path` text NOT NULL,
	`offset` integer DEFAULT 0 NOT NULL,
	`store_state` text DEFAULT '' NOT NULL,
	`sample` text,
	`mime_type` text,
	`sha256` text,
	`scan_due_at` text,
	`created_at` text NOT NULL,
	`last_byte_at` text NOT NULL,
	`completed_at` text,
	`locked_by` text,
	`locked_until` text,
	FOREIGN KEY (`envelope_id`) REFERENCES `requests`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`request_document_id`) REFERENCES `request_documents`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `uploads_id_unique` ON `uploads` (`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `uploads_filePath_unique` ON `uploads` (`file_path`);--> statement-breakpoint
CREATE INDEX `uploads_envelope` ON `uploads` (`envelope_id`,`request_document_id`);--> statement-breakpoint
CREATE INDEX `uploads_request_document` ON `uploads` (`request_document_id`);--> statement-breakpoint
CREATE INDEX `uploads_last_byte` ON `uploads` (`last_byte_at`);--> statement-breakpoint
ALTER TABLE `request_documents` ADD `multiple` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `request_documents` ADD `skipped` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `request_documents` ADD `skip_reason` text;--> statement-breakpoint
ALTER TABLE `requests` ADD `note` text;--> statement-breakpoint
ALTER TABLE `submissions` ADD `sha256` text;--> statement-breakpoint
ALTER TABLE `removed_files` ADD `store_state` text;