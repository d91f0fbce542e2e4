/** One request and what came of it, as a report shows it. */
export interface Exchange {
  request: { method: string; url: string; headers: Record<string, string>; body: string | null };
  /** Null when no response came; then `error` says why. */
  response: { status: number; headers: Record<string, string>; body: string } | null;
  error?: string;
}
