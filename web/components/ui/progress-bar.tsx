export function ProgressBar({ label, value, max = 100 }: { label: string; value: number; max?: number }) {
  return (
    <progress
      aria-label={label}
      value={value}
      max={max}
      className="block h-1.5 w-full appearance-none overflow-hidden rounded-full bg-line-strong/40 [&::-webkit-progress-bar]:bg-transparent [&::-webkit-progress-value]:rounded-full [&::-webkit-progress-value]:bg-accent [&::-moz-progress-bar]:bg-accent"
    />
  );
}
