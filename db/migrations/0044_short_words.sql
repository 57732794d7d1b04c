DROP TRIGGER `request_texts_unindex`;
--> statement-breakpoint
DROP TRIGGER `request_texts_index`;
--> statement-breakpoint
DROP TRIGGER `request_texts_delete`;
--> statement-breakpoint
UPDATE `request_texts` SET `texts` = '[]', `stale` = 1;
--> statement-breakpoint
INSERT INTO `request_search`(`request_search`) SELECT 'delete-all';
--> statement-breakpoint
DROP VIEW `request_grams`;
--> statement-breakpoint
CREATE VIEW `request_grams` AS SELECT `id`, (SELECT group_concat((WITH RECURSIVE `window`(`part`, `at`) AS (SELECT substr(`one`.`value`, 1, 3), 1 UNION ALL SELECT substr(`one`.`value`, `at` + 1, 3), `at` + 1 FROM `window` WHERE `at` < length(`one`.`value`)) SELECT group_concat(printf('%x:', `workspace_id`) || CASE instr(`part`, ' ') WHEN 0 THEN `part` ELSE substr(`part`, 1, instr(`part`, ' ') - 1) END, ' ') FROM `window` WHERE `part` <> '' AND `part` NOT LIKE ' %'), ' ') FROM json_each(`request_texts`.`texts`) AS `one`) || ' ' || (SELECT group_concat((WITH RECURSIVE `window`(`part`, `at`) AS (SELECT substr(`one`.`value`, 1, 2), 1 UNION ALL SELECT substr(`one`.`value`, `at` + 1, 2), `at` + 1 FROM `window` WHERE `at` < length(`one`.`value`)) SELECT group_concat(CASE instr(`part`, ' ') WHEN 0 THEN printf('%x:%s %x:', `workspace_id`, `part`, `workspace_id`) ELSE printf('%x:', `workspace_id`) END || substr(`part`, 1, 1), ' ') FROM `window` WHERE `part` NOT LIKE ' %'), ' ') FROM json_each(`request_texts`.`texts`) AS `one`) AS `grams` FROM `request_texts`;
--> statement-breakpoint
CREATE TRIGGER `request_texts_unindex` BEFORE UPDATE OF `texts`, `workspace_id` ON `request_texts` WHEN OLD.`texts` <> '[]' AND (NEW.`texts` <> OLD.`texts` OR NEW.`workspace_id` <> OLD.`workspace_id`) BEGIN INSERT INTO `request_search`(`request_search`, `rowid`, `grams`) SELECT 'delete', `id`, `grams` FROM `request_grams` WHERE `id` = OLD.`id`; END;
--> statement-breakpoint
CREATE TRIGGER `request_texts_index` AFTER UPDATE OF `texts`, `workspace_id` ON `request_texts` WHEN NEW.`texts` <> '[]' AND (NEW.`texts` <> OLD.`texts` OR NEW.`workspace_id` <> OLD.`workspace_id`) BEGIN INSERT INTO `request_search`(`rowid`, `grams`) SELECT `id`, `grams` FROM `request_grams` WHERE `id` = NEW.`id`; END;
--> statement-breakpoint
CREATE TRIGGER `request_texts_delete` BEFORE DELETE ON `request_texts` WHEN OLD.`texts` <> '[]' BEGIN INSERT INTO `request_search`(`request_search`, `rowid`, `grams`) SELECT 'delete', `id`, `grams` FROM `request_grams` WHERE `id` = OLD.`id`; END;
