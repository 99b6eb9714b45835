// Figures of a measurement: medians, rows of the table.

/** The value below which a part of the values is. */
export function quantile(values, part) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))];
}

export const ms = (value) => `${value.toFixed(value < 10 ? 2 : 0)} ms`;
export const spread = (values) => `median ${ms(quantile(values, 0.5))}, 95 % ${ms(quantile(values, 0.95))}`;
export const megabytes = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;

/** A table in Markdown. */
export function table(rows) {
  const line = (cells) => `| ${cells.join(" | ")} |`;
  return [line(["what", "has to be", "is"]), line(["---", "---", "---"]), ...rows.map(line)].join("\n");
}
