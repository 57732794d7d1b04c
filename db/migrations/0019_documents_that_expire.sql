CREATE TABLE `renewals` (
	`document_id` integer NOT NULL,
	`valid_until` text NOT NULL,
	`envelope_id` integer,
	`created_at` text NOT NULL,
	PRIMARY KEY(`document_id`, `valid_until`),
	FOREIGN KEY (`document_id`) REFERENCES `envelope_documents`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`envelope_id`) REFERENCES `envelopes`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE INDEX `renewals_envelope` ON `renewals` (`envelope_id`);--> statement-breakpoint
ALTER TABLE `envelope_documents` ADD `valid_until` text;--> statement-breakpoint
ALTER TABLE `envelope_documents` ADD `workspace_id` integer;--> statement-breakpoint
ALTER TABLE `envelope_documents` ADD `renew_on` text;--> statement-breakpoint
ALTER TABLE `envelope_documents` ADD `renewal_paused` integer;--> statement-breakpoint
ALTER TABLE `envelope_documents` ADD `check_at` text;--> statement-breakpoint
CREATE INDEX `envelope_documents_valid` ON `envelope_documents` (`workspace_id`,`valid_until`,`id`) WHERE workspace_id is not null;--> statement-breakpoint
CREATE INDEX `envelope_documents_check` ON `envelope_documents` (`check_at`,`id`) WHERE check_at is not null;--> statement-breakpoint
ALTER TABLE `webhook_deliveries` ADD `document_id` integer;