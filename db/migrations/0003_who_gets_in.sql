ALTER TABLE `invitations` ADD `is_requested` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `users` ADD `way` text;