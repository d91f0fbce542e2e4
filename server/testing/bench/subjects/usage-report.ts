/**
 * Loaded into each measured process, whatever it is (`node --import`): tells the process that started it, over IPC, what
 * CPU time and memory it has used. Prism and Fastify know nothing of it.
 */
export interface Usage {
  /** User and system time since the start, in microseconds. */
  cpuMicros: number;
  /** The most memory that was resident at once, in bytes. */
  peakBytes: number;
}

process.on('message', (message) => {
  if (message !== 'usage') return;
  const { user, system } = process.cpuUsage();
  const usage: Usage = { cpuMicros: user + system, peakBytes: process.resourceUsage().maxRSS * 1024 };
  process.send?.(usage);
});
// The channel alone must not keep the process alive.
process.channel?.unref();
