/** How many files this process may have open; Node raises it to what the system allows when it starts. */
export function openFiles(): number {
  const { userLimits } = process.report.getReport() as unknown as { userLimits?: { open_files?: { soft: number | 'unlimited' } } };
  const soft = Number(userLimits?.open_files?.soft);
  return Number.isFinite(soft) ? soft : 1_000_000;
}
