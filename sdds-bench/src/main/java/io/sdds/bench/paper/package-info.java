/**
 * Experiments that papers published, repeated on a cluster: one class a figure, with the papers' numbers beside those
 * that were measured.
 */
@NullMarked
package io.sdds.bench.paper;

import org.jspecify.annotations.NullMarked;
