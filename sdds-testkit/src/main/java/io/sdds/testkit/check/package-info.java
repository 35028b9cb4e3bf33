/**
 * Checkers: whether what clients saw, and what bricks hold, is what was promised. They know nothing of how it was run.
 */
@NullMarked
package io.sdds.testkit.check;

import org.jspecify.annotations.NullMarked;
