/**
 * Shipped programs: what a scan computes next to the records, as data that bricks and clients evaluate
 * (docs/queries.md; AMOS-SDDS).
 */
@NullMarked
package io.sdds.core.query;

import org.jspecify.annotations.NullMarked;
