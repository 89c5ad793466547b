import Bowser from 'bowser';
import type { Device } from '../records/session-record.ts';

/** Longer ones are nobody's browser; the rest is cut off before anything reads it. */
export const USER_AGENT_MAX = 512;

/** What a browser says of itself, for people who look at their sessions. Nothing is decided by it. */
export function deviceOf(userAgent: string): Device {
  if (userAgent === '') return { type: null, os: null, browser: null };
  const { browser, os, platform } = Bowser.parse(userAgent.slice(0, USER_AGENT_MAX));
  return {
    type: platform.type ?? null,
    os: together(os.name, os.versionName ?? os.version),
    browser: together(browser.name, browser.version),
  };
}

function together(name: string | undefined, version: string | undefined): string | null {
  if (name === undefined || name === '') return null;
  return version === undefined ? name : `${name} ${version}`;
}

/** `Chrome 156`: a browser with its version as far as people know it. */
export function shortBrowser(browser: string): string {
  return browser.replace(/^(.*?\d+)(?:\.\d+)+$/, '$1');
}
