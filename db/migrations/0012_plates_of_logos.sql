ALTER TABLE `workspaces` ADD `logo_readable_on` text;--> statement-breakpoint
ALTER TABLE `workspaces` ADD `logo_has_name` integer DEFAULT false NOT NULL;