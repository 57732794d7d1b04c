CREATE TABLE `request_texts` (
	`id` integer PRIMARY KEY NOT NULL,
	`workspace_id` integer NOT NULL,
	`texts` text NOT NULL,
	`stale` integer NOT NULL,
	FOREIGN KEY (`id`) REFERENCES `requests`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `request_texts_stale` ON `request_texts` (`workspace_id`,`id`) WHERE stale;--> statement-breakpoint
INSERT INTO `request_texts` SELECT `id`, `workspace_id`, '[]', 1 FROM `requests`;
--> statement-breakpoint
CREATE VIEW `request_grams` AS SELECT `id`, (SELECT group_concat((WITH RECURSIVE `window`(`part`, `at`) AS (SELECT substr(`one`.`value`, 1, 3), 1 UNION ALL SELECT substr(`one`.`value`, `at` + 1, 3), `at` + 1 FROM `window` WHERE `at` < length(`one`.`value`)) SELECT group_concat(printf('%x:', `workspace_id`) || CASE instr(`part`, ' ') WHEN 0 THEN `part` ELSE substr(`part`, 1, instr(`part`, ' ') - 1) END, ' ') FROM `window` WHERE `part` <> '' AND `part` NOT LIKE ' %'), ' ') FROM json_each(`request_texts`.`texts`) AS `one`) AS `grams` FROM `request_texts`;
--> statement-breakpoint
CREATE VIRTUAL TABLE `request_search` USING fts5(grams, content='', columnsize=0, tokenize="unicode61 remove_diacritics 2 categories 'L* N* P* S* M* Co'");
--> statement-breakpoint
CREATE TRIGGER `request_texts_delete` BEFORE DELETE ON `request_texts` BEGIN INSERT INTO `request_search`(`request_search`, `rowid`, `grams`) SELECT 'delete', `id`, `grams` FROM `request_grams` WHERE `id` = OLD.`id` AND `grams` IS NOT NULL; END;
--> statement-breakpoint
CREATE TRIGGER `request_texts_unindex` BEFORE UPDATE OF `texts`, `workspace_id` ON `request_texts` WHEN NEW.`texts` <> OLD.`texts` OR NEW.`workspace_id` <> OLD.`workspace_id` BEGIN INSERT INTO `request_search`(`request_search`, `rowid`, `grams`) SELECT 'delete', `id`, `grams` FROM `request_grams` WHERE `id` = OLD.`id` AND `grams` IS NOT NULL; END;
--> statement-breakpoint
CREATE TRIGGER `request_texts_index` AFTER UPDATE OF `texts`, `workspace_id` ON `request_texts` WHEN NEW.`texts` <> OLD.`texts` OR NEW.`workspace_id` <> OLD.`workspace_id` BEGIN INSERT INTO `request_search`(`rowid`, `grams`) SELECT `id`, `grams` FROM `request_grams` WHERE `id` = NEW.`id` AND `grams` IS NOT NULL; END;
--> statement-breakpoint
CREATE TRIGGER `requests_search_insert` AFTER INSERT ON `requests` BEGIN INSERT INTO `request_texts` VALUES(NEW.`id`, NEW.`workspace_id`, '[]', 1); END;
--> statement-breakpoint
CREATE TRIGGER `requests_search_update` AFTER UPDATE OF `title`, `subject`, `customer_email`, `contact_id` ON `requests` WHEN NEW.`title` <> OLD.`title` OR NEW.`subject` IS NOT OLD.`subject` OR NEW.`customer_email` <> OLD.`customer_email` OR NEW.`contact_id` IS NOT OLD.`contact_id` BEGIN UPDATE `request_texts` SET `stale` = 1 WHERE `id` = NEW.`id` AND NOT `stale`; END;
--> statement-breakpoint
CREATE TRIGGER `requests_search_move` AFTER UPDATE OF `workspace_id` ON `requests` WHEN NEW.`workspace_id` <> OLD.`workspace_id` BEGIN UPDATE `request_texts` SET `workspace_id` = NEW.`workspace_id`, `stale` = 1 WHERE `id` = NEW.`id`; END;
--> statement-breakpoint
CREATE TRIGGER `request_documents_search_insert` AFTER INSERT ON `request_documents` BEGIN UPDATE `request_texts` SET `stale` = 1 WHERE `id` = NEW.`request_id` AND NOT `stale`; END;
--> statement-breakpoint
CREATE TRIGGER `request_documents_search_update` AFTER UPDATE OF `name` ON `request_documents` WHEN NEW.`name` <> OLD.`name` BEGIN UPDATE `request_texts` SET `stale` = 1 WHERE `id` = NEW.`request_id` AND NOT `stale`; END;
--> statement-breakpoint
CREATE TRIGGER `request_documents_search_delete` AFTER DELETE ON `request_documents` BEGIN UPDATE `request_texts` SET `stale` = 1 WHERE `id` = OLD.`request_id` AND NOT `stale`; END;
--> statement-breakpoint
CREATE TRIGGER `contacts_search_update` AFTER UPDATE OF `first_name`, `last_name` ON `contacts` WHEN NEW.`first_name` <> OLD.`first_name` OR NEW.`last_name` IS NOT OLD.`last_name` BEGIN UPDATE `request_texts` SET `stale` = 1 WHERE `id` IN (SELECT `id` FROM `requests` WHERE `contact_id` = NEW.`id`) AND NOT `stale`; END;