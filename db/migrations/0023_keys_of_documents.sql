DROP INDEX `envelope_documents_name`;--> statement-breakpoint
ALTER TABLE `envelope_documents` ADD `name_key` text;--> statement-breakpoint
CREATE INDEX `envelope_documents_key` ON `envelope_documents` (`envelope_id`,case when "name_key" is null then lower("name") else "name_key" end);