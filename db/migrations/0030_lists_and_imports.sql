DROP INDEX `envelopes_series`;--> statement-breakpoint
DROP INDEX `envelopes_template`;--> statement-breakpoint
CREATE INDEX `envelopes_series` ON `envelopes` (`series_id`,`workspace_id`,`id`,`status`,`end_of_last_day`,`expiration_date`,`end_of_due_day`,`to_review`) WHERE series_id is not null;--> statement-breakpoint
CREATE INDEX `envelopes_template` ON `envelopes` (`template_id`,`workspace_id`,`id`,`status`,`end_of_last_day`,`expiration_date`,`end_of_due_day`,`to_review`) WHERE template_id is not null;--> statement-breakpoint
CREATE INDEX `contacts_email` ON `contacts` (`workspace_id`,lower("email"));