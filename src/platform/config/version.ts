/** Of the service. */
export const serviceVersion = '0.1.0';
