/** The model that all roles share: tables, bricks, places. */
@NullMarked
package io.sdds.core.model;

import org.jspecify.annotations.NullMarked;
