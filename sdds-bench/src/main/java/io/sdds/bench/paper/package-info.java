/**
 * Repeats published experiments of papers on a cluster: one class for each figure, with the figures of the paper beside
 * the measured figures.
 */
@NullMarked
package io.sdds.bench.paper;

import org.jspecify.annotations.NullMarked;
