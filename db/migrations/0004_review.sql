ALTER TABLE `request_documents` ADD `review` text;--> statement-breakpoint
ALTER TABLE `request_documents` ADD `review_reason` text;--> statement-breakpoint
ALTER TABLE `submissions` ADD `superseded` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `workspaces` ADD `file_name_rule` text;