DROP INDEX `envelopes_contact`;--> statement-breakpoint
CREATE INDEX `envelopes_contact` ON `envelopes` (`contact_id`,`status`,`end_of_last_day`,`expiration_date`,`end_of_due_day`);--> statement-breakpoint
ALTER TABLE `contacts` ADD `tags` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
CREATE INDEX `contacts_tagged` ON `contacts` (`workspace_id`,`id`) WHERE tags <> '[]';