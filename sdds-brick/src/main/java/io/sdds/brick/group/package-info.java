/** Replica groups: two-phase commit with epochs. */
@NullMarked
package io.sdds.brick.group;

import org.jspecify.annotations.NullMarked;
