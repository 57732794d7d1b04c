ALTER TABLE `contacts` ADD `updated_by` integer;--> statement-breakpoint
CREATE INDEX `contacts_updated_by` ON `contacts` (`updated_by`) WHERE updated_by is not null;--> statement-breakpoint
ALTER TABLE `requests` ADD `updated_by` integer;--> statement-breakpoint
ALTER TABLE `templates` ADD `updated_at` text DEFAULT '1970-01-01T00:00:00.000Z' NOT NULL;--> statement-breakpoint
ALTER TABLE `templates` ADD `updated_by` integer;--> statement-breakpoint
CREATE INDEX `templates_updated_by` ON `templates` (`updated_by`) WHERE updated_by is not null;--> statement-breakpoint
UPDATE `templates` SET `updated_at` = `created_at`;