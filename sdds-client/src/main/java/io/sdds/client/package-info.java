@NullMarked
package io.sdds.client;

import org.jspecify.annotations.NullMarked;
