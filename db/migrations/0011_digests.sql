ALTER TABLE `users` ADD `submission_mails` text DEFAULT 'at_once' NOT NULL;--> statement-breakpoint
ALTER TABLE `users` ADD `digest_hour` integer DEFAULT 8 NOT NULL;