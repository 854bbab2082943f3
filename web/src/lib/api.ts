// Asking the server.

import type { Finding } from "./types";

/** Why the server refused. */
export class Refusal extends Error {
  constructor(
    message: string,
    readonly help: string,
    readonly findings: Finding[] = [],
    readonly status = 0,
  ) {
    super(message);
  }
}

async function ask<T>(address: string, init?: RequestInit): Promise<T> {
  let response: Response;
  try {
    response = await fetch(address, init);
  } catch {
    throw new Refusal("The server cannot be reached", "Is grove serve still running?");
  }
  const body = await response.json().catch(() => null);
  if (!response.ok) {
    throw new Refusal(
      body?.error ?? `The server answered ${response.status}`,
      body?.help ?? "",
      body?.findings ?? [],
      response.status,
    );
  }
  return body as T;
}

export function get<T>(address: string): Promise<T> {
  return ask<T>(address);
}

export function post<T>(address: string, body: unknown = {}, headers: Record<string, string> = {}): Promise<T> {
  return ask<T>(address, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
}

/** Anything that was thrown, in words for people. */
export function inWords(error: unknown): { message: string; help: string } {
  if (error instanceof Refusal) return { message: error.message, help: error.help };
  return { message: String(error), help: "" };
}
