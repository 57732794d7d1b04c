ALTER TABLE `workspaces` ADD `deleted_at` text;--> statement-breakpoint
CREATE INDEX `workspaces_deleted` ON `workspaces` (`deleted_at`) WHERE deleted_at is not null;