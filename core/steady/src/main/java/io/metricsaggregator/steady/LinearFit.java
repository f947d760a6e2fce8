package io.metricsaggregator.steady;

/**
 * The least-squares line through values at 0, 1, 2, …
 *
 * @param slope change per step, in the unit of the values
 * @param squares sum of squared deviations of the positions from their mean; 0 for fewer than two values
 * @param residuals value minus line, by position; not copied, so callers must not change it
 */
@SuppressWarnings("ArrayRecordComponent") // two fits are never compared
record LinearFit(double slope, double squares, double[] residuals) {
    static LinearFit of(double[] values) {
        int n = values.length;
        double center = (n - 1) / 2.0;
        double mean = Descriptive.mean(values);
        double squares = 0;
        double products = 0;
        for (int i = 0; i < n; i++) {
            squares += (i - center) * (i - center);
            products += (i - center) * (values[i] - mean);
        }
        double slope = squares == 0 ? 0 : products / squares;
        double[] residuals = new double[n];
        for (int i = 0; i < n; i++) {
            residuals[i] = values[i] - (mean + slope * (i - center));
        }
        return new LinearFit(slope, squares, residuals);
    }

    /** Change of the line from the first to the last value, divided by the median of the values; 0 for fewer than two values. */
    static double relativeDrift(double[] values) {
        return values.length < 2 ? 0 : of(values).slope() * (values.length - 1) / Descriptive.medianAboveZero(values);
    }
}
