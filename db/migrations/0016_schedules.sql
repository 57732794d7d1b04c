CREATE TABLE `schedule_news` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`workspace_id` integer NOT NULL,
	`envelope_id` integer,
	`mail` text NOT NULL,
	`news` text NOT NULL,
	`created_at` text NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`envelope_id`) REFERENCES `envelopes`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `schedule_news_user` ON `schedule_news` (`user_id`,`mail`);--> statement-breakpoint
CREATE INDEX `schedule_news_workspace` ON `schedule_news` (`workspace_id`);--> statement-breakpoint
CREATE INDEX `schedule_news_envelope` ON `schedule_news` (`envelope_id`) WHERE envelope_id is not null;--> statement-breakpoint
ALTER TABLE `envelopes` ADD `send_on` text;--> statement-breakpoint
ALTER TABLE `envelopes` ADD `send_hour` integer;--> statement-breakpoint
ALTER TABLE `envelopes` ADD `send_at` text;--> statement-breakpoint
ALTER TABLE `envelopes` ADD `send_claimed_until` text;--> statement-breakpoint
CREATE INDEX `envelopes_scheduled` ON `envelopes` (`send_at`,`user_id`) WHERE status = 'scheduled';--> statement-breakpoint
ALTER TABLE `workspaces` ADD `schedules_stopped` integer DEFAULT false NOT NULL;