/** Node takes the language from the machine, and parts of the console write numbers and dates as their reader does. */
Object.defineProperty(navigator, 'language', { value: 'en-US', configurable: true });
