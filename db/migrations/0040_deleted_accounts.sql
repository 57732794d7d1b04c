ALTER TABLE `users` ADD `deleted_at` text;--> statement-breakpoint
CREATE INDEX `users_deleted` ON `users` (`deleted_at`) WHERE deleted_at is not null;