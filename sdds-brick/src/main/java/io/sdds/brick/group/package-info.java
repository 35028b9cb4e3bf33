/** Replica groups: two-phase commit with epochs (docs/design/groups.md). */
@NullMarked
package io.sdds.brick.group;

import org.jspecify.annotations.NullMarked;
