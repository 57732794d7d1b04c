CREATE TABLE `answers` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`envelope_id` integer NOT NULL,
	`envelope_document_id` integer NOT NULL,
	`value` text,
	`sealed` integer NOT NULL,
	`created_at` text NOT NULL,
	`submitted_at` text,
	`superseded` integer DEFAULT false NOT NULL,
	FOREIGN KEY (`envelope_id`) REFERENCES `envelopes`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`envelope_document_id`) REFERENCES `envelope_documents`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `answers_envelope` ON `answers` (`envelope_id`);--> statement-breakpoint
CREATE INDEX `answers_document` ON `answers` (`envelope_document_id`);--> statement-breakpoint
CREATE INDEX `answers_sealed` ON `answers` (`id`) WHERE sealed;--> statement-breakpoint
CREATE UNIQUE INDEX `answers_kept` ON `answers` (`envelope_document_id`) WHERE submitted_at is null;--> statement-breakpoint
ALTER TABLE `envelope_documents` ADD `kind` text DEFAULT 'file' NOT NULL;--> statement-breakpoint
ALTER TABLE `envelope_documents` ADD `details` text;--> statement-breakpoint
ALTER TABLE `envelope_documents` ADD `hidden` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `envelopes` ADD `prefill` integer DEFAULT false NOT NULL;