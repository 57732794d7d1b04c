ALTER TABLE `users` ADD `has_set_aside` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `workspaces` ADD `set_aside_at` text;--> statement-breakpoint
UPDATE `users` SET `verified_by_owner` = true WHERE `is_first` AND `id` = (SELECT min(`id`) FROM `users`);
