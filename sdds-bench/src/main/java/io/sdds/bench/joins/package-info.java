/**
 * Joins of persons who live in one city, as AMOS-SDDS measured them: in other databases, by the kernel of a brick at
 * one site, and over bricks.
 */
@NullMarked
package io.sdds.bench.joins;

import org.jspecify.annotations.NullMarked;
