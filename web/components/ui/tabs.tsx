import { Tab, TabGroup, TabList, TabPanel, TabPanels } from "@headlessui/react";
import type { ReactNode } from "react";

type TabEntry = { label: string; content: ReactNode };

type TabsProps = {
  label: string;
  tabs: readonly TabEntry[];
  selected?: number;
  onSelect?: (index: number) => void;
};

export function Tabs({ label, tabs, selected, onSelect }: TabsProps) {
  return (
    <TabGroup
      {...(selected !== undefined && { selectedIndex: selected })}
      {...(onSelect && { onChange: onSelect })}
    >
      <TabList aria-label={label} className="flex rounded-control border border-line bg-sunken p-0.5">
        {tabs.map((tab) => (
          <Tab
            key={tab.label}
            className="h-8 flex-1 rounded-md font-medium text-ink-soft transition-colors duration-150 hover:text-ink data-selected:bg-surface data-selected:text-ink data-selected:shadow-[0_0_0_1px_var(--line)]"
          >
            {tab.label}
          </Tab>
        ))}
      </TabList>
      <TabPanels className="mt-6">
        {tabs.map((tab) => (
          <TabPanel key={tab.label} tabIndex={-1}>
            {tab.content}
          </TabPanel>
        ))}
      </TabPanels>
    </TabGroup>
  );
}
