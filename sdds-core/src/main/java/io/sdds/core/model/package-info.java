/** What every role talks about: tables, bricks, places. */
@NullMarked
package io.sdds.core.model;

import org.jspecify.annotations.NullMarked;
