/** How many files this process may have open, Infinity where there is no limit; Node raises it to what the system allows. */
export function openFileLimit(): number {
  const { userLimits } = process.report.getReport() as unknown as {
    userLimits?: { open_files?: { soft: number | 'unlimited' } };
  };
  const files = Number(userLimits?.open_files?.soft);
  return Number.isFinite(files) ? files : Infinity;
}
