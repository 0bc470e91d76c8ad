/** Every queue by name. A job in one of them says nothing but «look into the database». */
export const RUNS_QUEUE = 'runs';
