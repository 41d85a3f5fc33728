import { expect, test } from 'vitest';
import { plain } from './plain';

test.each([
  ['flowchart TD\n  A', 'flowchart TD\n  A'],
  ['%%{init: {"securityLevel": "loose"}}%%\nflowchart TD', '\nflowchart TD'],
  ['flowchart TD\n%%{\n init: {\n "theme": "x" }\n}%%\nA', 'flowchart TD\n\nA'],
  ['flowchart TD\n%%{init: {"htmlLabels": true}', 'flowchart TD\n%% {init: {"htmlLabels": true}'],
  ['%%%%{}%%{init: 1}%%', '%% {init: 1}%%'],
  ['---\nconfig:\n  htmlLabels: true\n---\nflowchart TD', 'flowchart TD'],
  ['---\r\ntitle: "Soup: hot"\r\nconfig: {}\r\n---\r\nflowchart TD', '---\ntitle: "Soup: hot"\n---\nflowchart TD'],
  ['---\n---\n---\nconfig: {}\n---\nflowchart TD', 'config: {}\n---\nflowchart TD'],
  ['---\nx: 1\n---\n---\nconfig: {}\n---\nA', '\n%% ---\nconfig: {}\n---\nA'],
])('plain(%j)', (text, want) => expect(plain(text)).toBe(want));
