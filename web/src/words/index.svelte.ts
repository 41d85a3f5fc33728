// All words of the page, in the languages that it has. English is the original: a language that lacks a word
// does not compile.
import * as en from './en';
import * as nl from './nl';

type Shape<T> = { [K in keyof T]: T[K] extends (...args: infer A) => string ? (...args: A) => string : T[K] extends string ? string : Shape<T[K]> };
export type Words = Shape<typeof en>;
export const languages: Record<'en' | 'nl', Words> = { en, nl };
export type Language = keyof typeof languages;

class Speech {
  language = $state<Language>(navigator.language.startsWith('nl') ? 'nl' : 'en');
  words = $derived<Words>(languages[this.language]);

  choose(language: Language) {
    this.language = language;
    document.documentElement.lang = language;
  }
}

export const speech = new Speech();
